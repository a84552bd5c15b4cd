/** Adds a button to each text that is there to be copied. */

const labels: Readonly<Record<string, readonly [string, string]>> = {
  da: ['Kopiér', 'Kopieret'],
  sv: ['Kopiera', 'Kopierat'],
};
const [copyText, copiedText] = labels[document.documentElement.lang] ?? ['Copy', 'Copied'];

for (const block of document.querySelectorAll<HTMLElement>('.copied')) {
  const text = block.textContent?.trim() ?? '';
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: copyText, ariaLabel: `${copyText}: ${text}` });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = copiedText;
  });
  block.append(button);
}
