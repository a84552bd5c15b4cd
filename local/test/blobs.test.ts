/** The blobs emulator: what it stores is there after a stop, and after a kill. */

import { cp } from 'node:fs/promises';
import { BlobServiceClient } from '@azure/storage-blob';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../test/support/temporary-folder.ts';
import { startBlobs } from '../blobs/start-blobs.ts';

async function open(folder: string) {
  const blobs = await startBlobs({ folder });
  onTestFinished(() => blobs.stop());
  const container = BlobServiceClient.fromConnectionString(blobs.connectionString).getContainerClient(
    'pictures',
  );
  return { blobs, container };
}

test('blobs are saved soon, so that a copy of the folder has them', async () => {
  const folder = newFolder();
  const { container } = await open(folder);
  await container.create();
  await container.getBlockBlobClient('a.png').upload('bytes', 5);
  await expect
    .poll(async () => {
      const copy = newFolder();
      await cp(folder, copy, { recursive: true, filter: (path) => !path.includes('lock.sqlite') });
      const { container, blobs } = await open(copy);
      const isThere = await container
        .getBlockBlobClient('a.png')
        .exists()
        .catch(() => false);
      await blobs.stop();
      return isThere;
    })
    .toBe(true);
});
