/** The start page's script: the state of the service as it is now, and buttons that copy. */

interface Health {
  readonly ready: boolean;
  readonly dependencies: Readonly<Record<string, { readonly state: string; readonly detail?: string }>>;
}

const place = document.getElementById('state');
if (place !== null) void showHealth(place);
for (const block of document.querySelectorAll<HTMLElement>('.copied')) addCopyButton(block);

async function showHealth(element: HTMLElement): Promise<void> {
  // A failing service says so with 503, and with the same body.
  const { ready, dependencies } = (await (await fetch(element.dataset['health'] ?? '')).json()) as Health;
  const items = Object.entries(dependencies).map(([name, { state, detail }]) => {
    const text = `${name}: ${state}${detail === undefined ? '' : ` (${detail})`}`;
    return Object.assign(document.createElement('li'), { className: state, textContent: text });
  });
  element.textContent = ready ? 'The service is ready.' : 'The service is live, but a dependency fails.';
  element.className = ready ? 'ready' : 'failing';
  const list = document.createElement('ul');
  list.append(...items);
  element.after(list);
}

function addCopyButton(block: HTMLElement): void {
  const text = block.textContent?.trim() ?? '';
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: 'Copy', ariaLabel: `Copy: ${text}` });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  });
  block.append(button);
}
