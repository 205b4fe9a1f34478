// The events that a flow takes, for people: what each says, field by field.
import type { EventSchema } from '../../client/flow-schemas.ts';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { t } from '../../shared/texts/text.ts';

export interface ShownEvent extends EventSchema {
  readonly text: string;
}

export function withText(event: EventSchema): ShownEvent {
  const { type, description, data, starts } = event;
  const what = starts ? t`Started by ${type}` : t`Takes ${type}`;
  const words = [what, ...(description === null ? [] : [description.replace(/\.$/, '')])].join('. ');
  const fields = formatData(data);
  return { ...event, text: fields === '' ? words : `${words}: ${fields}` };
}

/** Each field with its type; what is within one stands in the schema. */
export function formatData(data: JsonSchema | null): string {
  const { properties, required = [] } = (data ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  if (properties === undefined) return typeOf(data);
  return Object.entries(properties)
    .map(([name, field]) => {
      const type = typeOf(field);
      const more = [type, required.includes(name) ? '' : t`optional`].filter(Boolean).join(', ');
      return more === '' ? name : `${name} (${more})`;
    })
    .join(', ');
}

function typeOf(schema: JsonSchema | null): string {
  const { type = [], enum: values } = (schema ?? {}) as {
    readonly type?: string | readonly string[];
    readonly enum?: readonly unknown[];
  };
  return values ? values.map(String).join('|') : [type].flat().join('|');
}
