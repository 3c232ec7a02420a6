/** Least contrast of the colours of a QR code, as the service demands it: that of text (WCAG 2.2). */
const MIN_CONTRAST = 4.5;

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The colour of letters that are read on this ground, as the service chooses it. */
export const lettersOn = (ground: string): string => (luminance(ground) < 0.179 ? '#ffffff' : '#000000');

/** Whether scanners tell these colours apart, each as `#rrggbb`: dark ones on light ground. */
export const areReadable = (dark: string, light: string): boolean => (luminance(light) + 0.05) / (luminance(dark) + 0.05) >= MIN_CONTRAST;
