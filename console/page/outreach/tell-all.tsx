// The button that does the same for many. Where that is a message, whoever was told today is left out, and it is said who did it.
import { t } from '../../../shared/texts/text.ts';
import { Button } from '../parts/button.tsx';
import { ToldBefore, useTold } from './told-before.tsx';

interface TellAllProps {
  readonly keys: readonly string[];
  /** While none of them was told anything. */
  readonly words: string;
  /** It is a message. */
  readonly isTelling: boolean;
  readonly canAct?: boolean;
  readonly begin: (keys: readonly string[]) => void;
}

export function TellAll({ keys, words, isTelling, canAct = true, begin }: TellAllProps) {
  const told = useTold(keys, isTelling);
  const untold = keys.filter((key) => !told.has(key));
  const isAgain = untold.length === 0;
  const again = isAgain ? t`Tell again…` : t`Tell the other ${untold.length}…`;
  return (
    <>
      <Button
        press={() => begin(isAgain ? keys : untold)}
        kind={isAgain ? undefined : 'main'}
        disabled={!canAct}
      >
        {told.size === 0 ? words : again}
      </Button>
      <ToldBefore told={told} of={keys.length} />
    </>
  );
}
