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
  const list = document.createElement('ul');
  for (const [name, { state, detail }] of Object.entries(dependencies)) {
    const item = document.createElement('li');
    item.className = state;
    item.textContent = `${name}: ${state}${detail === undefined ? '' : ` (${detail})`}`;
    list.append(item);
  }
  element.replaceChildren(ready ? 'The service is ready.' : 'The service is live, but a dependency fails.');
  element.className = ready ? 'ready' : 'failing';
  element.after(list);
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  const text = block.textContent?.trim() ?? '';
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLabel = `Copy: ${text}`;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  });
  block.append(button);
}
