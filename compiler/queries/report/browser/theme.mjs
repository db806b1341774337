// Chooses the theme: light, dark, or the system's. The choice is not stored, because a page that is opened from the
// disk has no storage of its own.

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
