/** A map with the place of an event, of pictures from the tile server that the page names. */

import { circleMarker, map, tileLayer } from 'leaflet';
import './share.ts';

const zoom = 15;

for (const place of document.querySelectorAll<HTMLElement>('.map')) {
  const { lat, lng, tiles = '', attribution = '' } = place.dataset;
  const center: [number, number] = [Number(lat), Number(lng)];
  const view = map(place, { center, zoom, scrollWheelZoom: false });
  tileLayer(tiles, { attribution, maxZoom: 19 }).addTo(view);
  circleMarker(center, { radius: 10, className: 'place' }).addTo(view);
}
