import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { save } from './save.ts';

const PNG_PIXELS = 1024;

function usePath(text: string): { path: string; size: number } | undefined {
  const [drawn, setDrawn] = useState<{ path: string; size: number }>();
  useEffect(() => {
    void import('uqr').then(({ encode }) => {
      const { data, size } = encode(text, { ecc: 'M', border: 2 });
      const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
      setDrawn({ path: dots.join(''), size });
    });
  }, [text]);
  return drawn;
}

interface QrProps {
  text: string;
  label: string;
  /** That of the files to download; absent: it is for the screen alone. */
  name?: string;
}

/** The QR code of a text, always dark on light: scanners need it so. */
export function QrCode({ text, label, name }: QrProps) {
  const drawn = usePath(text);
  const svg = useRef<SVGSVGElement>(null);

  const saveSvg = () => {
    const source = new XMLSerializer().serializeToString(svg.current!);
    save(new Blob([source], { type: 'image/svg+xml' }), `${name}.svg`);
  };
  const savePng = () => {
    const { path, size } = drawn!;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = PNG_PIXELS;
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, PNG_PIXELS, PNG_PIXELS);
    context.scale(PNG_PIXELS / size, PNG_PIXELS / size);
    context.fillStyle = '#000';
    context.fill(new Path2D(path));
    canvas.toBlob((blob) => blob && save(blob, `${name}.png`));
  };

  return (
    <div class="qr">
      {drawn ? (
        <svg
          ref={svg}
          xmlns="http://www.w3.org/2000/svg"
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          role="img"
          aria-label={label}
          shape-rendering="crispEdges"
        >
          <rect width="100%" height="100%" fill="#fff" />
          <path d={drawn.path} fill="#000" />
        </svg>
      ) : (
        <div class="qr-place" aria-busy="true" />
      )}
      {name && (
        <div class="qr-actions">
          <Button icon="download" onClick={saveSvg} isDisabled={!drawn}>
            SVG
          </Button>
          <Button icon="download" onClick={savePng} isDisabled={!drawn}>
            PNG
          </Button>
        </div>
      )}
    </div>
  );
}
