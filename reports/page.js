const $ = name => document.getElementById(name);
const read = name => JSON.parse($(name).textContent);
function option(select, value, text) {
  const made = document.createElement("option");
  made.value = value; made.textContent = text; select.append(made);
}
const NS = "http://www.w3.org/2000/svg";
function put(parent, name, attributes, title) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (title) { const t = document.createElementNS(NS, "title"); t.textContent = title; made.append(t); }
  parent.append(made); return made;
}
const colour = name => `var(--${name})`;
