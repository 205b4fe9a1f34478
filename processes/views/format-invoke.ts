// Names an invoke of a flow file for people: a question, a call, or what is done with an item of an `each`.
import { t } from '../../shared/texts/text.ts';
import { formatName } from './format-names.ts';

/** In a sentence: “cost approval” for laptop-1. */
export const forItem = (words: string, title: string | undefined): string =>
  title === undefined ? words : t`${words} for ${title}`;

/** The invoke of one item of an `each`: the id of the `each`, and the index. */
const OF_ITEM = /^(?<id>.+)\.(?<index>\d+)$/;

/** In a sentence, by its id: “cost approval”. @param itemTitle of an `each`, where it is known */
export function formatInvoke(id: string, itemTitle?: string): string {
  const { id: own = id, index } = OF_ITEM.exec(id)?.groups ?? {};
  const number = index === undefined ? undefined : t`item ${Number(index) + 1}`;
  return forItem(`“${formatName(own).toLowerCase()}”`, itemTitle ?? number);
}
