/** Finds pictures that an import has copied by the paths that they had below `wp-content/uploads` of their site. */

import { imageSizes, imageUrl } from '../model/image-url.ts';
import type { ImageRecord } from '../model/records.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import type { ReadContext } from './read-context.ts';

const uploads = '/wp-content/uploads/';
/** The end of the name of a size: `-300x200.jpg`. */
const sizeSuffix = /-(\d{1,5})x(\d{1,5})(\.\w+)$/;
/** What WordPress adds to the name of a picture that it has made smaller or turned: the name without it is that of the upload. */
const madeSuffix = /-(?:scaled|rotated)(\.\w+)$/;

interface Found {
  readonly image: ImageRecord;
  /** Width and height that the name says, where it is that of a size. */
  readonly size?: readonly [width: number, height: number];
}

/** The path of each picture, read once. */
const paths = new WeakMap<ImageRecord, string | undefined>();

/** Pictures by their paths, at a revision of their calendar. */
const indexes = new WeakMap<
  CalendarReplica,
  { readonly revision: number; readonly images: ReadonlyMap<string, ImageRecord> }
>();

/** Returns the address of the copy of a picture, or of one of its sizes; undefined where there is none that everybody may see. */
export function addressOfCopy(path: string, { replica, root }: ReadContext): string | undefined {
  const found = find(uploadPath(path), imagesByPath(replica));
  if (found === undefined || replica.isHiddenImage(found.image.id)) return undefined;
  const [width, height] = found.size ?? [];
  const sizes = Object.values(imageSizes(found.image, root) ?? {});
  return (
    sizes.find((size) => size.width === width && size.height === height)?.url ?? imageUrl(found.image, root)
  );
}

/** A name may be that of a picture though it ends like that of a size, so the whole name counts first. */
function find(path: string | undefined, images: ReadonlyMap<string, ImageRecord>): Found | undefined {
  if (path === undefined) return undefined;
  const image = images.get(path);
  if (image !== undefined) return { image };
  const [, width, height] = sizeSuffix.exec(path) ?? [];
  if (width === undefined) return undefined;
  const original = images.get(path.replace(sizeSuffix, '$3'));
  return original && { image: original, size: [Number(width), Number(height)] };
}

function imagesByPath(replica: CalendarReplica): ReadonlyMap<string, ImageRecord> {
  const { revision } = replica;
  const cached = indexes.get(replica);
  if (cached?.revision === revision) return cached.images;
  const images = new Map<string, ImageRecord>();
  const put = (path: string, image: ImageRecord) => {
    if (!images.has(path)) images.set(path, image);
  };
  const known = [...replica.images()].flatMap((image) => {
    const path = pathOf(image);
    return path === undefined ? [] : [[path, image] as const];
  });
  // What a picture is called goes before what another may once have been called.
  for (const [path, image] of known) put(path, image);
  for (const [path, image] of known) put(path.replace(madeSuffix, '$1'), image);
  indexes.set(replica, { revision, images });
  return images;
}

function pathOf(image: ImageRecord): string | undefined {
  if (paths.has(image)) return paths.get(image);
  const source = image.stored?.source;
  const path = source === undefined ? undefined : uploadPath(URL.parse(source)?.pathname ?? '');
  paths.set(image, path);
  return path;
}

/** Returns the part of a path below the uploads, decoded; undefined for a path that is not below them. */
function uploadPath(path: string): string | undefined {
  const start = path.indexOf(uploads);
  if (start < 0) return undefined;
  const encoded = path.slice(start + uploads.length);
  try {
    return decodeURIComponent(encoded).normalize();
  } catch (error) {
    if (error instanceof URIError) return encoded;
    throw error;
  }
}
