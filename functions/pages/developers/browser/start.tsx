/** The start page's script: the state of the service as it is now. */

import { render } from 'preact';
import '../../common/browser/copy.ts';

interface Health {
  readonly ready: boolean;
  readonly dependencies: Readonly<Record<string, { readonly state: string; readonly detail?: string }>>;
}

const { base = '' } = document.body.dataset;
// A failing service says so with 503, and with the same body.
const { ready, dependencies }: Health = await (await fetch(`${base}/health`)).json();
const items = Object.entries(dependencies).map(([name, { state, detail }]) => (
  <li key={name} class={state}>
    {name}: {state} {detail && `(${detail})`}
  </li>
));
const sentence = ready ? 'The service is ready.' : 'The service is live, but a dependency fails.';
render([sentence, <ul key="items">{items}</ul>], document.getElementById('state') ?? document.body);
