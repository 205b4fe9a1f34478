// The deadlines that differ between two answers of a flow, in the form in which a consequence has them.
import type { Consequence } from '../../../contract/flows/actions.ts';
import type { Progress } from '../../../contract/flows/flow-messages.ts';

export function movedIn(before: Progress, after: Progress): Consequence['deadlines'] {
  const untilOf = ({ deadlines: all }: Progress) =>
    new Map(all.map((each) => [`${each.role}.${each.stage}`, each]));
  const [was, is] = [untilOf(before), untilOf(after)];
  return [...new Map([...was, ...is])].flatMap(([name, { role, stage }]) => {
    const from = was.get(name)?.until ?? null;
    const until = is.get(name)?.until ?? null;
    const ahead = is.get(name)?.ahead;
    return from === until ? [] : [{ role, stage, timer: null, from, until, ...(ahead && { ahead }) }];
  });
}
