/** The events, venues and organizers by the pictures that their texts name. */

import type { AnyPost } from '../model/records.ts';

const named = /\/pictures\/(\d{1,15})\//g;

export class TextPictures {
  readonly #posts = new Map<number, Set<AnyPost>>();

  replace(before: AnyPost | undefined, after: AnyPost | undefined): void {
    for (const id of before === undefined ? [] : picturesNamed(before)) {
      const posts = this.#posts.get(id);
      if (posts?.delete(before as AnyPost) && posts.size === 0) this.#posts.delete(id);
    }
    for (const id of after === undefined ? [] : picturesNamed(after)) {
      const posts = this.#posts.get(id);
      if (posts === undefined) this.#posts.set(id, new Set([after as AnyPost]));
      else posts.add(after as AnyPost);
    }
  }

  /** Returns the posts whose texts name a picture. */
  of(id: number): readonly AnyPost[] {
    return [...(this.#posts.get(id) ?? [])];
  }

  clear(): void {
    this.#posts.clear();
  }
}

/** Returns the ids of the pictures that the texts of a record name, in all languages. */
function picturesNamed({ description = '', excerpt = '', translations = {} }: AnyPost): number[] {
  const texts = [description, excerpt, ...Object.values(translations).flatMap((each) => Object.values(each))];
  return texts
    .filter((text) => text.includes('/pictures/'))
    .flatMap((text) => Array.from(text.matchAll(named), ([, id]) => Number(id)));
}
