/** A picture: cropped and made smaller in the browser, and uploaded with its sizes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { Select } from '../views/controls.tsx';
import type { PictureView } from '../views/types.ts';
import type { Word } from '../views/words.ts';
import { may } from './edit-data.ts';
import type { ControlProps } from './fields.tsx';
import { type Crop, drawCrop, uploadCrop } from './picture-upload.ts';
import { Failure, useAttempt } from './read.tsx';
import { word } from './session.tsx';

const sliders: readonly (readonly [keyof Crop, Word, min: number, max: number])[] = [
  ['zoom', 'zoom', 1, 4],
  ['x', 'across', 0, 1],
  ['y', 'down', 0, 1],
];

interface PictureFile {
  readonly file: File;
  readonly bitmap: ImageBitmap;
}

export function PictureControl({ value, set }: ControlProps) {
  const [newFile, setNewFile] = useState<PictureFile>();
  const [failure, attempt] = useAttempt();
  const picture = value as PictureView | false;
  const open = async (file: File) => {
    const bitmap = await createImageBitmap(file).catch(() => Promise.reject(new Error(word('badPicture'))));
    setNewFile({ file, bitmap });
  };
  const close = (upload?: PictureView) => {
    setNewFile(undefined);
    if (upload) set(upload);
  };
  if (newFile) return <Cropping {...newFile} close={close} />;
  return (
    <>
      {picture && <img src={picture.url} alt={picture.alt ?? ''} />}
      {may('publish') ? (
        <input
          type="file"
          accept="image/*"
          aria-label={word('choosePicture')}
          onChange={({ currentTarget: { files } }) => files?.[0] && attempt(open.bind(null, files[0]))}
        />
      ) : (
        <p class="muted">{word('noUpload')}</p>
      )}
      {picture && (
        <button type="button" class="outline secondary" onClick={() => set(false)}>
          {word('removePicture')}
        </button>
      )}
      <Failure error={failure} />
    </>
  );
}

function Cropping({ file, bitmap, close }: PictureFile & { close: (upload?: PictureView) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>({ ratio: 0, zoom: 1, x: 0.5, y: 0.5 });
  const [alt, setAlt] = useState('');
  const [isUploading, setUploading] = useState(false);
  const [failure, attempt] = useAttempt();
  useEffect(() => void (canvas.current && drawCrop(canvas.current, bitmap, crop, 640)), [crop]);
  const upload = async () => {
    setUploading(true);
    const { name, type } = file;
    await uploadCrop(bitmap, crop, { name, type, alt }).then(close, (error) => {
      setUploading(false);
      throw error;
    });
  };
  return (
    <div class="cropping">
      <canvas ref={canvas} role="img" aria-label={word('preview')} />
      <label>
        {word('altText')}
        <input value={alt} maxLength={250} onInput={({ currentTarget }) => setAlt(currentTarget.value)} />
      </label>
      <div class="fields">
        <Select
          label={word('shape')}
          options={[
            [0, word('original')],
            [16 / 9, '16:9'],
            [3 / 2, '3:2'],
            [1, '1:1'],
          ]}
          onChange={({ currentTarget }) => setCrop({ ...crop, ratio: Number(currentTarget.value) })}
        />
        {sliders.map(([name, label, min, max]) => (
          <label key={name}>
            {word(label)}
            <input
              type="range"
              min={min}
              max={max}
              step={0.01}
              value={crop[name]}
              onInput={({ currentTarget }) => setCrop({ ...crop, [name]: Number(currentTarget.value) })}
            />
          </label>
        ))}
      </div>
      <div class="buttons">
        <button type="button" disabled={isUploading} onClick={() => attempt(upload)}>
          {word(isUploading ? 'uploading' : 'usePicture')}
        </button>
        <button type="button" class="outline secondary" onClick={() => close()}>
          {word('close')}
        </button>
      </div>
      <Failure error={failure} />
    </div>
  );
}
