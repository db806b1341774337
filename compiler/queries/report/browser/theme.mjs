// Light, dark, or as the system has it. Nothing is kept: a page from the disk has no place of its own.

const button = document.getElementById("theme");
const themes = ["system", "light", "dark"];
let at = 0;

button.hidden = false;
button.addEventListener("click", () => {
  at = (at + 1) % themes.length;
  button.querySelector("span").textContent = themes[at];
  if (at === 0) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themes[at];
});
