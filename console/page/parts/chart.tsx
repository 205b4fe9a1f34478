// The picture of a chart, which the server draws. Opened by itself it says the words of each arrow.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';

interface ChartProps {
  /** Another one where what it shows has changed. */
  readonly src: string;
  /** In words, what it shows. */
  readonly label: string;
}

export function Chart({ src, label }: ChartProps) {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => setFailed(false), [src]);
  if (hasFailed) return <p class="note is-offline">{t`The chart cannot be drawn now.`}</p>;
  return (
    <a class="chart-frame" href={src} target="_blank" rel="noopener">
      <img src={src} alt={label} onError={() => setFailed(true)} />
    </a>
  );
}
