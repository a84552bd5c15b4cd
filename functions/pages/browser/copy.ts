/** Adds a button to each text that is there to be copied. */

const labels: Readonly<Record<string, readonly [string, string]>> = {
  da: ['Kopiér', 'Kopieret'],
  sv: ['Kopiera', 'Kopierat'],
};
const [copy, copied] = labels[document.documentElement.lang] ?? ['Copy', 'Copied'];

for (const block of document.querySelectorAll<HTMLElement>('.copied')) {
  const text = block.textContent?.trim() ?? '';
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: copy, ariaLabel: `${copy}: ${text}` });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = copied;
  });
  block.append(button);
}
