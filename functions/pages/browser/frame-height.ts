/** Sends the height of a framed page to the page around it, whenever it changes. */
export function sendHeight(): void {
  if (parent === window) return;
  const send = () => parent.postMessage({ calendarHeight: document.body.offsetHeight }, '*');
  new ResizeObserver(send).observe(document.body);
}
