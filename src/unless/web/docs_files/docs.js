// The form of /docs: reads the fields as a row, asks for its label, and shows the answer as text.
"use strict";

// What a person typed: nothing is missing; in a numerical column a number where it is one; else text.
function cell(input) {
  const text = input.value.trim();
  if (text === "") return null;
  const number = Number(text);
  return input.dataset.kind === "numerical" && Number.isFinite(number) ? number : text;
}

async function predict(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const shown = form.querySelector("output");
  const row = Object.fromEntries([...form.querySelectorAll("input")].map((input) => [input.name, cell(input)]));
  try {
    const answer = await fetch(form.dataset.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rows: [row] }),
    });
    const said = await answer.json();
    shown.textContent = said.error ? said.error.message : JSON.stringify(said.answers[0], null, 2);
  } catch (error) {
    shown.textContent = `No answer: ${error.message}`;
  }
}

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", predict);
}
