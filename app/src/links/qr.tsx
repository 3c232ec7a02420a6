import { useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { IMAGES, upload } from '../api/upload.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FieldFrame, Select } from '../ui/field.tsx';
import { save } from '../ui/save.ts';
import { complain } from '../ui/toast.tsx';
import { scanned } from './address.ts';
import { type DialogProps, nameOf } from './actions.ts';
import { areReadable } from './contrast.ts';

const PNG_PIXELS = 1024;
/** Modules of a corner mark, by which scanners find the symbol: these stay square. */
const MARK = 7;
/** Width of a logo, as a part of the symbol's: it and its pad cover a twentieth, and level H restores six times as much. */
const LOGO_SHARE = 0.2;
/** The standard's margin, none for pages that are light around it, and some between. */
const MARGINS = ['0', '2', '4', '8', '16'] as const;
const LOGOS = `${IMAGES},image/svg+xml`;

/** Pixels at a side of a logo as it is uploaded: the API draws no more. */
const LOGO_PIXELS = 512;

interface Logo {
  /** A data URL, since a saved SVG has nothing but itself. */
  url: string;
  image: HTMLImageElement;
  /** Its id at the API. Undefined: it is in this browser alone, as this member may not upload. */
  id?: string;
}

async function readLogo(file: File): Promise<Logo> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = reject;
    reader.readAsDataURL(file);
  });
  const image = new Image();
  image.src = url;
  await image.decode();
  return { url, image };
}

/** The image as the API takes it, whatever kind the browser was given. */
async function toPng(image: HTMLImageElement): Promise<Blob> {
  const { width, height } = image;
  const scale = Math.min(1, LOGO_PIXELS / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image')))));
}

function draw(text: string, margin: number, isRounded: boolean, hasLogo: boolean) {
  const { data, size } = encode(text, { ecc: hasLogo ? 'H' : 'M', border: margin });
  const modules = size - 2 * margin;
  const logo = modules * LOGO_SHARE;
  const isAtEnd = (at: number) => at < MARK || at >= modules - MARK;
  const isMark = (x: number, y: number) => isAtEnd(x) && isAtEnd(y) && (x < MARK || y < MARK);
  const dot = (x: number, y: number) =>
    isRounded && !isMark(x - margin, y - margin) ? `M${x} ${y + 0.5}a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z` : `M${x} ${y}h1v1h-1z`;
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? dot(x, y) : []))).join('');
  const square = (width: number) => ({ x: (size - width) / 2, y: (size - width) / 2, width, height: width });
  return { path, size, logo: square(logo), pad: square(logo + 1) };
}

/** The QR code of a link, and how it is to look. */
export default function QrDialog({ link, onClose }: DialogProps) {
  const words = t.linkForms.qr;
  const [dark, setDark] = useState('#000000');
  const [light, setLight] = useState('#ffffff');
  const [margin, setMargin] = useState<(typeof MARGINS)[number]>('4');
  const [isRounded, setRounded] = useState(false);
  const [logo, setLogo] = useState<Logo>();
  const [logoError, setLogoError] = useState<string>();
  const [isUploading, setUploading] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const drawn = draw(scanned(link.shortUrl), Number(margin), isRounded, logo !== undefined);
  const isReadable = areReadable(dark, light);
  const query = { margin, level: logo?.id ? 'H' : 'M', dark: dark.slice(1), light: light.slice(1), ...(logo?.id && { logo: logo.id }) };
  const address = `${location.origin}/api/v1/links/${link.id}/qr?${new URLSearchParams(query)}`;

  const choose = async ([chosen]: FileList) => {
    setLogoError(undefined);
    setLogo(undefined);
    if (!chosen) return;
    setUploading(true);
    try {
      const read = await readLogo(chosen);
      const { data, problem } = may('LINKS_WRITE') ? await upload(await toPng(read.image)) : { data: undefined, problem: undefined };
      if (problem) complain(problem);
      else setLogo({ ...read, id: data?.id });
    } catch {
      setLogoError(words.noImage);
    }
    setUploading(false);
  };
  const remove = () => {
    file.current!.value = '';
    file.current!.focus();
    setLogo(undefined);
  };
  const saveSvg = () => {
    const source = new XMLSerializer().serializeToString(svg.current!);
    save(new Blob([source], { type: 'image/svg+xml' }), `${link.slug}.svg`);
  };
  const savePng = () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = PNG_PIXELS;
    const context = canvas.getContext('2d')!;
    context.scale(PNG_PIXELS / drawn.size, PNG_PIXELS / drawn.size);
    context.fillStyle = light;
    context.fillRect(0, 0, drawn.size, drawn.size);
    context.fillStyle = dark;
    context.fill(new Path2D(drawn.path));
    if (logo) {
      const { x, y, width } = drawn.pad;
      context.fillStyle = light;
      context.fillRect(x, y, width, width);
      // As `<image>` fits it in.
      const scale = drawn.logo.width / Math.max(logo.image.width, logo.image.height);
      const [across, down] = [logo.image.width * scale, logo.image.height * scale];
      context.drawImage(logo.image, (drawn.size - across) / 2, (drawn.size - down) / 2, across, down);
    }
    canvas.toBlob((blob) => blob && save(blob, `${link.slug}.png`));
  };
  const color = (name: string, label: string, value: string, set: (value: string) => void) => (
    <FieldFrame name={name} label={label}>
      {(shared) => <input {...shared} type="color" value={value} onInput={(event) => set(event.currentTarget.value)} />}
    </FieldFrame>
  );

  return (
    <Dialog title={t.links.qr.title} onClose={onClose}>
      <div class="qr">
        <svg
          ref={svg}
          xmlns="http://www.w3.org/2000/svg"
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          role="img"
          aria-label={t.links.qr.alt(link.shortUrl)}
          shape-rendering={isRounded ? undefined : 'crispEdges'}
        >
          <rect width="100%" height="100%" fill={light} />
          <path d={drawn.path} fill={dark} />
          {logo && <rect {...drawn.pad} fill={light} />}
          {logo && <image {...drawn.logo} href={logo.url} />}
        </svg>
        <p class="center muted">{nameOf(link)}</p>
        <div class="qr-colors">
          {color('dark', words.dark, dark, setDark)}
          {color('light', words.light, light, setLight)}
          <Select
            label={words.margin}
            value={margin}
            options={MARGINS.map((value) => ({ value, label: words.modules(Number(value)) }))}
            onChange={setMargin}
          />
        </div>
        <p role="status" class={isReadable ? 'hidden' : 'chip warning'}>
          {!isReadable && words.unreadable}
        </p>
        <label class="switch-label">
          <input type="checkbox" role="switch" class="switch" checked={isRounded} onChange={(event) => setRounded(event.currentTarget.checked)} />
          {words.rounded}
        </label>
        <FieldFrame name="logo" label={words.logo} hint={isUploading ? t.loading : words.logoHint} error={logoError}>
          {(shared) => (
            <input {...shared} ref={file} type="file" accept={LOGOS} aria-busy={isUploading} onChange={(event) => void choose(event.currentTarget.files!)} />
          )}
        </FieldFrame>
        <div class="qr-actions">
          {logo && <Button onClick={remove}>{words.removeLogo}</Button>}
          <Button icon="download" onClick={saveSvg}>
            SVG
          </Button>
          <Button icon="download" onClick={savePng}>
            PNG
          </Button>
          {isReadable && (
            <CopyButton text={address} label={words.copyUrl} isUnsaid>
              {words.copyUrl}
            </CopyButton>
          )}
        </div>
        <p class="hint">{words.urlHint}</p>
      </div>
    </Dialog>
  );
}
