// Switches between light, dark and the system's theme. The choice is not stored, because a page that was opened from a
// disk has no storage.

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
