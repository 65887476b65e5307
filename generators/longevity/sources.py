"""How well the project knows each source that the rule table cites.

Seen: the abstract, guideline summary, registry entry or label was read, either when the rules were
compiled or later; then the source says where and what was read. Memory: general knowledge that
nobody has checked yet. Second hand: known only from another text's report about it. Where a source
was marked both ways, the weaker mark stands. No item's verdict may rest on a source that is not
seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from generators.longevity.errors import LongevityError

Standing = Literal["seen", "memory", "second hand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source as the rule table names it.

    Attributes:
        name: Exactly as between the braces of a rule.
        standing: How well it is known.
        locator: DOI, registry number or document; empty where none is established.
        read_at: Address of the copy that was read, for sources read after the rules were compiled.
        says: What it says that bears on the rules, in the project's own words; goes with read_at.
    """

    name: str
    standing: Standing
    locator: str = ""
    read_at: str = ""
    says: str = ""


_COLUMNS = ("locator", "read_at", "says")

_SEEN = """
Kraus 2019 | 10.1016/S2213-8587(19)30151-2
Villareal 2016 | 10.1002/jbmr.2701
Romashkan 2016 | 10.18632/oncotarget.8093
CALERIE | Kraus 2019 and Villareal 2016
Larson-Meyer 2010 | 10.1249/MSS.0b013e3181ad7f17
Villareal 2017 | 10.1056/NEJMoa1616338
Ensrud 2003 | 10.1046/j.1532-5415.2003.51558.x
Weiss 2008 | 10.1089/rej.2007.0622
Lowe 2020 | 10.1001/jamainternmed.2020.4153
TREAT exclusions | Lowe 2020
trial exclusions (Lowe 2020) | Lowe 2020
Liu 2022 | 10.1056/NEJMoa2114833
Lin 2023 | 10.7326/M23-0052
Semnani-Azad 2025 | 10.1136/bmj-2024-082007
Fernandez-Rodriguez 2024 | 10.3390/nu16060876
Grajower 2019 | 10.3390/nu11040873
IDF-DAR 2021 | 10.1016/j.dsx.2023.102754
Ganson 2022 | 10.1016/j.eatbeh.2022.101681
Maclachlan & Rodnan 1967 | 10.1016/0002-9343(67)90005-8
Jiang 2022 | 10.1097/MCG.0000000000001788
ESC 2020 | 10.1093/eurheartj/ehaa605
Rognmo 2012 | 10.1161/CIRCULATIONAHA.112.123117
Wewege 2018 | 10.1161/JAHA.118.009305
HF list | 10.1007/s10741-023-10310-9
HF lists | 10.1007/s10741-023-10310-9
Brooke-Wavell 2022 | 10.1136/bjsports-2021-104634
ICFSR 2018 | 10.1007/s12603-018-1139-9
ACOG 804 | 10.1097/AOG.0000000000003772
Giustina 2024 | 10.1007/s11102-023-01360-1
Ramos-Levi 2019 (extrapolated) | 10.3389/fendo.2019.00120
NICE NG145 | NICE guideline NG145
ACR 2020 | 10.1002/acr.24180
ACG 2022 | 10.14309/ajg.0000000000001538
COSMOS | Sesso 2022, 10.1093/ajcn/nqac055
Mafi 2019 | J Aging Phys Act 27:384
Schwarz NA 2018 | 10.3389/fnut.2018.00132
Garcia-Merino 2022 | 10.3390/antiox11081522
Hurrell 1999 | 10.1017/S0007114599000537
SmartAge | Schwarz C 2022, 10.1001/jamanetworkopen.2022.13875
NCT04210986 | ClinicalTrials.gov NCT04210986
EU 2020/443 | Commission Implementing Regulation (EU) 2020/443
Stanfield 2026 | protocol 10.1186/s13063-024-08490-2
Lee 2024 | 10.1016/S2666-7568(23)00258-1
label | sirolimus US prescribing information
"""

_READ = """
WHO 2020 | 10.1136/bjsports-2020-102955 | https://pmc.ncbi.nlm.nih.gov/articles/PMC7719906 | All adults should do 150-300 minutes of moderate or 75-150 minutes of vigorous activity a week and regular muscle strengthening; some is better than none.
ESPEN 2019 | 10.1016/j.clnu.2018.05.024 | https://www.clinicalnutritionjournal.com/article/S0261-5614(18)30210-3/fulltext | In older people dietary restriction is generally avoided; a weight-reducing diet is considered only in obesity with trouble from the weight, and then with exercise.
IOC 2023 | 10.1136/bjsports-2023-106994 | https://ouci.dntb.gov.ua/en/works/7XwOKYZ9 | Eating too little for the energy that exercise takes leads to a syndrome of harm to health and performance in women and men.
GLIM 2019 | 10.1016/j.clnu.2018.08.002 | https://medicalcriteria.com/web/glim-malnutrition/ | A BMI below 20 under the age of 70, or below 22 from 70 on, is one of the criteria by which malnutrition is diagnosed.
AGA 2020 | 10.1053/j.gastro.2020.06.046 | https://gastro.org/clinical-guidance/gastrointestinal-evaluation-of-iron-deficiency-anemia | In anaemia a ferritin below 45 counts as iron deficiency, and its cause in the gut is looked for by endoscopy from above and below.
Nieman 2015 | 10.1210/jc.2015-1818 | https://dbpia.nl.go.kr/jcem/article/100/8/2807/2836065 | Overt Cushing syndrome is treated by normalising cortisol, as a rule by removing its source, and by treating the complications that cortisol causes.
Fleseriu 2021 | 10.1016/S2213-8587(21)00235-7 | https://pmc.ncbi.nlm.nih.gov/articles/PMC8743006/table/T3 | Cushing's disease needs diagnosis, treatment of the source and of its complications; the panel on complications lists clotting first.
Fleseriu 2021 (extrapolated) | 10.1016/S2213-8587(21)00235-7 | https://pmc.ncbi.nlm.nih.gov/articles/PMC8743006/table/T3 | Severe cortisol excess and poor mobility count as risks for venous clots; the step from there to strenuous training is ours.
Reincke 2021 | 10.3803/EnM.2021.1069 | https://pmc.ncbi.nlm.nih.gov/articles/PMC8258338 | Cortisol excess wastes the muscles near the trunk, and removing the excess is the most important step to recovery.
Barbot 2020 | Best Pract Res Clin Endocrinol Metab 34:101380 | https://www.scribd.com/document/608751337/Cushing-syndrome | Cortisol excess leads to hypertension, metabolic syndrome and damage to bone, and can threaten life when it is not treated in time.
Teede 2023 | 10.1093/humrep/dead156 | https://github.com/RedBeardLab/pcos-with-science/blob/main/data.csv | Exercise, alone or with diet, is recommended to all women with the syndrome; without overweight the aim is a healthy way of life and no weight gain, unduly restrictive diets are to be avoided, and disordered eating is considered at any weight.
ESC CCS 2024 (evaluation) | 10.1093/eurheartj/ehae177 | https://escardio.org/Congresses-Events/ESC-Congress/Congress-news/2024-esc-clinical-practice-guidelines-for-the-management-of-chronic-coronary-syn | Suspected chronic coronary disease is worked up step by step, beginning with a clinical evaluation of the symptoms.
HF/CR lists | 10.1007/s10741-023-10310-9 and a list for cardiac rehabilitation | https://www.medicalalgorithms.com/cardiac-rehabilitation-program-guidelines | Unstable angina, acute myocardial infarction, severe aortic stenosis and uncontrolled arrhythmia bar training in cardiac rehabilitation.
Ahmad 2023 (rat) | 10.2174/1574886317666221014101201 | https://eurekaselect.com/article/126968 | Two weeks of quercetin raised the exposure of rats to warfarin by 63 %, a single dose by 20 %.
Si 2009 | Drug Metab Dispos 37:629 | https://pdfkul.com/mechanism-of-cyp2c9-inhibition-by-flavones-and-semantic-scholar_5acdadd17f8b9a62548b4579.html | In the test tube fisetin, quercetin and other flavonols inhibit CYP2C9, which breaks warfarin down.
"""

_MEMORY = """
ESC CCS 2024 | 10.1093/eurheartj/ehae177
KDIGO 2024 | 10.1016/j.kint.2023.10.018
ADA | 10.2337/dc25-S002
HF guidelines (extrapolated)
2022 AHA/ACC/HFSA
HF-ACTION
case reports of exertional rhabdomyolysis
clinical consensus
trial exclusion lists
trial exclusions
obstetric guidance
EU novel-food practice
"""

_SECOND_HAND = """
Moel 2025 | 10.18632/aging.206235
"""


def _sources(lines: str, standing: Standing) -> tuple[Source, ...]:
    cells = ([cell.strip() for cell in line.split("|")] for line in lines.strip().splitlines())
    return tuple(
        Source(name=name, standing=standing, **dict(zip(_COLUMNS, rest, strict=False)))
        for name, *rest in cells
    )


SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        source.name: source
        for source in (
            *_sources(_SEEN, "seen"),
            *_sources(_READ, "seen"),
            *_sources(_MEMORY, "memory"),
            *_sources(_SECOND_HAND, "second hand"),
        )
    }
)


def source(name: str) -> Source:
    """Return a source by the name that rules use.

    Raises:
        LongevityError: The table does not list it.
    """
    found = SOURCES.get(name)
    if found is None:
        raise LongevityError(f"the source {name!r} has no standing; add it to sources.py")
    return found
