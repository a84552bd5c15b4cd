/** Makes the buttons work that share a page, or copy its address; they show where the browser can do it. */

for (const place of document.querySelectorAll<HTMLElement>('.share')) {
  const address = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? location.href;
  const status = place.querySelector('[role="status"]');
  const button = (action: string) => place.querySelector<HTMLButtonElement>(`[data-action="${action}"]`);
  const share = button('share');
  if (share !== null && 'share' in navigator) {
    share.hidden = false;
    share.addEventListener('click', async () => {
      try {
        await navigator.share({ title: document.title, url: address });
      } catch (error) {
        // Who closes the window of choices shares nothing.
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      }
    });
  }
  button('copy')?.addEventListener('click', async () => {
    await navigator.clipboard.writeText(address);
    if (status !== null) status.textContent = place.dataset['copied'] ?? '';
  });
  place.hidden = false;
}
