"""The rule table: what each condition, and the baseline, says about each intervention.

One line per condition, one bracket per rule:
`[interventions/verdict strength when condition: because {sources}]`. Verdicts: Y advise, C advise
with conditions, N not advised or treat first, X contestable (no item may be built on it), = adds
advice and never decides. Strength: S guideline, label or direct randomised trial; M consensus,
small trial or close extrapolation. BASE lines speak about everybody.

For benchmarking only: not medical advice, compiled by engineers, not reviewed by a physician.
"""

RULE_TABLE = """
BASE [CR/CS when bmi>=25 and age<65: moderate deficit improves weight, BP, LDL; keep protein and training {Kraus 2019; Semnani-Azad 2025}]
BASE [CR/CM when bmi>=22 and bmi<25 and age<=50: CALERIE population; small bone and lean loss, monitor {Kraus 2019; Villareal 2016}]
BASE [CR,IF,CE/X when bmi>=22 and bmi<25 and age>50 and age<65: outside the trial populations {-}]
BASE [CR/NM when age>=65 and bmi<30: weight-reducing diets avoided in older people who are not obese {ESPEN 2019}]
BASE [CR,IF/X when age>=65 and bmi>=30: only acceptable with resistance training (see CE) {Villareal 2017}]
BASE [IF/CS when bmi>=25 and age<65: equal to, not better than, daily restriction; an option {Liu 2022; Lin 2023; Semnani-Azad 2025}]
BASE [IF/X when bmi>=22 and bmi<25 and age<=50: few data at normal weight {-}]
BASE [IF/X when age>=65 and bmi<30: only small pilots (Anton 2019) {-}]
BASE [EX/YS when age>=18: 150-300 min moderate + 2 strength sessions a week; balance from 65 {WHO 2020}]
BASE [CE/YS when bmi>=25 and age<65: half diet half exercise: same fat loss, more fitness, insulin sensitivity and LDL effect {Larson-Meyer 2010}]
BASE [CE/CM when bmi>=22 and bmi<25 and age<=50: small deficit with training and protein, weight floor {CALERIE; IOC 2023}]
BASE [CE/CS when age>=65 and bmi>=30: combined aerobic + resistance protects function, lean mass and hip bone during loss {Villareal 2017; ESPEN 2019}]
BASE [CE/X when age>=65 and bmi>=25 and bmi<30: benefit unclear in overweight elders {-}]
BASE [CE/NM when age>=65 and bmi<25: no fat to lose, lean mass at stake {ESPEN 2019}]
BASE [EPI,FIS,SPD/X when age>=18: no clinical outcome benefit shown; a Yes or No needs a deciding rule below or a written policy {COSMOS; SmartAge; NCT04210986}]
BASE [RAP/NM when age>=18: off-label immunosuppressant, PEARL primary endpoint null, RAPA-EX-01 trended to harm {Moel 2025; Stanfield 2026; label}]
HYPO [CR,IF,CE/NM: replace hormone first; restriction lowers T3 more {NICE NG145; Weiss 2008}] [EX/NM when asked_strenuous and (ck_x>1 or hr<50): untreated, CK raised or bradycardic: no strenuous start; light activity allowed {NICE NG145; case reports of exertional rhabdomyolysis}] [EX/X when not (asked_strenuous and (ck_x>1 or hr<50)): gentle exercise is harmless: No is contestable {-}] [RAP/NM: adds to dyslipidaemia {label; Lee 2024}]
CUSH [CR,IF,CE/NM: catabolic bone and muscle; cause untreated {Nieman 2015; Fleseriu 2021; Reincke 2021; Barbot 2020}] [EX/X when not asked_strenuous: gentle exercise is reasonable {-}] [EX/NM when asked_strenuous: strenuous: fracture, myopathy, hypertension, clot risk until controlled {Fleseriu 2021 (extrapolated); Reincke 2021; Barbot 2020}] [RAP/NS: immunosuppression, lipids, glucose {label}]
ACRO [CR,IF,CE/NM: GH-driven metabolism; undernutrition distorts IGF-1; refer {Giustina 2024}] [EX/X when not asked_strenuous: gentle exercise is reasonable {-}] [EX/NM when asked_strenuous: strenuous: cardiomyopathy, OSA, arthropathy unassessed {Ramos-Levi 2019 (extrapolated)}] [RAP/NM: raises glucose and lipids, no indication {label}]
PCOSL [CR,IF,CE/NM: no excess weight; may worsen ovulation and eating pathology; diagnose and treat {Teede 2023}] [EX/CS: lifestyle recommended for all; alongside diagnosis {Teede 2023}] [RAP/NS: child-bearing potential, ovarian and fetal effects {label}]
PCOSO [CR,IF,CE/X: guideline-compatible as adjunct; No is contestable {Teede 2023}] [EX/CS: recommended for all with PCOS {Teede 2023}] [RAP/NS: child-bearing potential {label}]
OSTEO [CR/NS: further bone loss and fracture {Villareal 2016; Ensrud 2003}] [IF/NM: energy and protein shortfall; TRE bone data short and in younger people {Fernandez-Rodriguez 2024; Ensrud 2003}] [EX/CS: resistance, balance, impact as tolerated; no deep spinal flexion; after vertebral fracture brisk walking at most {Brooke-Wavell 2022}] [EX/NM when hip_or_spine_fragility_fracture and (asked_strenuous or asked_high_impact): impact above brisk walking or loaded flexion after fracture {Brooke-Wavell 2022}] [CE/NM when bmi<30: the diet half is the harm {Ensrud 2003; ESPEN 2019}] [CE/X when bmi>=30: obesity with osteoporosis is a specialist trade-off {Villareal 2017}]
SARCO [CR/NS: loses muscle that is already short {ESPEN 2019; ICFSR 2018}] [IF/NM: appendicular lean mass fell with 16:8; protein spacing {Lowe 2020; ESPEN 2019}] [EX/YS: progressive resistance is first-line {ICFSR 2018}] [CE/NM when bmi<30: deficit defeats the training {ESPEN 2019}] [CE/X when bmi>=30: sarcopenic obesity: supervised only {Villareal 2017}] [EPI/CM when resistance_training: adjunct to training raised strength and follistatin in 62 sarcopenic men {Mafi 2019}] [RAP/NM: attenuated chair-stand gains {Stanfield 2026}]
CADU [EX,CE/NS: listed contraindication until evaluated {ESC 2020; HF/CR lists}] [CR,IF/NM: treat the coronary disease first {ESC CCS 2024}] [RAP/NM: raises LDL and TG; interacts with diltiazem, verapamil, some statins {label; Lee 2024}]
CADQ [EX,CE/X when not asked_strenuous: walking below symptoms is fine; refer anyway {-}] [EX,CE/NS when asked_strenuous: vigorous or interval training before evaluation {ESC 2020; ESC CCS 2024 (evaluation)}] [IF/X: no data {-}]
CADS [EX/CS: cardiac rehabilitation; HIIT supervised after testing {ESC CCS 2024; Rognmo 2012; Wewege 2018}] [CE/CM when bmi>=25: rehabilitation plus gradual loss {ESC CCS 2024}] [EX,CE/X when asked_strenuous and unsupervised: HIIT alone at home in CAD: experts differ {-}] [IF/X: few data with cardiac drugs {-}]
HALT [EX,CE/NS: listed contraindication {ESC 2020; HF list}]
GOUT [IF/NM: ketosis raises urate within 1-2 fasting days, attacks seen {Maclachlan & Rodnan 1967}] [EX,CE/NM when gout_flare_now: rest the joint, treat the flare {ACR 2020}]
GERD [CR,IF,EX,CE/=: add: no late meals, no hard exercise after meals {ACG 2022; Jiang 2022}]
ALARM [CR,IF,CE/NS: unexplained loss or bleeding needs work-up {ACG 2022; AGA 2020}]
IDA [CR,IF,CE/NM: iron and energy needed; cause first {Romashkan 2016; AGA 2020}] [EX/CM when not (hb<10 and asked_strenuous): light to moderate until corrected {clinical consensus}] [EX/NM when hb<10 and asked_strenuous: vigorous training at Hb <10 waits {clinical consensus; trial exclusion lists}] [EPI,FIS/NM: polyphenols bind non-haem iron {Hurrell 1999}] [RAP/NS: anaemia is a labelled effect {label}]
T2DH [IF/NS: hypoglycaemia unless a clinician changes doses {IDF-DAR 2021; Grajower 2019; TREAT exclusions}] [CR,CE/X: good therapy once doses are cut; No and Yes both arguable {ADA}] [EX/CS: check glucose, carry carbohydrate {ADA}]
EDHX [CR,IF,CE/NS: relapse risk; excluded from trials {Lowe 2020; Ganson 2022}] [EX/X: depends on compulsive pattern {-}]
PREG [CR,IF,CE/NS when pregnant: fetal nutrition {obstetric guidance; trial exclusions (Lowe 2020)}] [IF/NM when breastfeeding and not pregnant: milk supply and maternal intake {trial exclusions (Lowe 2020)}] [CR,CE/X when breastfeeding and not pregnant: slow loss after lactation is established is tolerated {-}] [EX/CS: moderate, uncomplicated pregnancy {ACOG 804}] [EPI,FIS,SPD/NM: no safety data; concentrated extracts {EU novel-food practice; trial exclusions}] [RAP/NS: embryotoxic {label}]
CKD [IF/NM: dehydration, potassium, drug timing {IDF-DAR 2021; KDIGO 2024}] [CR,CE/X: obese CKD may lose weight under dietetic care {KDIGO 2024}] [EX/CM: encouraged to tolerance {KDIGO 2024}] [RAP/NS: proteinuria, renal function decline {label}]
HFS [EX/CS: supervised, stable, NYHA I-III {2022 AHA/ACC/HFSA; HF-ACTION}] [CR,IF/NM: cachexia, electrolytes, diuretics {HF guidelines (extrapolated)}] [CE/X: specialist {-}] [RAP/NM: fluid accumulation, effusions {label}]
HFD [CR,IF,EX,CE/NS: unstable {HF lists}]
IMMUNO [RAP/NS: additive immunosuppression {label}] [EX/CM: adapted, infection hygiene {WHO 2020}] [CR,IF,CE/X: depends on disease {-}]
UNDER [CR,IF,CE/NS: worsens undernutrition {GLIM 2019; ESPEN 2019}] [EX/CM: resistance with enough energy {ESPEN 2019}]
LEAN [CR,IF,CE/NM: below trial BMI; harms outweigh {Romashkan 2016; IOC 2023}]
REDS [CR,IF,CE/NS: cause of the problem {IOC 2023}] [EX/NM: no extra training until energy restored {IOC 2023}]
RAPX [RAP/NS: labelled warning {label}]
ACOAG [FIS/NM: narrow index, unknown interaction {Ahmad 2023 (rat); Si 2009}]
WHEAT [SPD/NS: wheat-germ product {EU 2020/443}]
ENDUR [EPI/NM: blunts aerobic adaptation {Schwarz NA 2018; Garcia-Merino 2022}]
"""
