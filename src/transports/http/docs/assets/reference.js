/** Opens the endpoint in the URL's fragment and copies curl commands. The page works without it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

window.addEventListener('hashchange', openTarget);
openTarget();

const status = document.querySelector('[role=status]');
let clearing;

function announce(text) {
  status.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => {
    status.textContent = '';
  }, 2000);
}

for (const button of document.querySelectorAll('.curl button')) {
  // The clipboard exists only where the page came over HTTPS or from this computer.
  button.hidden = navigator.clipboard === undefined;
}

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element && event.target.closest('.curl button');
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    announce('Copied');
  } catch {
    announce("Couldn't copy. Select the text instead.");
  }
});
