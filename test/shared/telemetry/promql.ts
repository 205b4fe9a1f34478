// What an expression asks Prometheus for, by Prometheus' own grammar of its language.
import { parser } from '@prometheus-io/lezer-promql';

export interface AskedMetric {
  readonly name: string;
  /** The names of labels that it is selected by, or that its expression sums by. */
  readonly labels: readonly string[];
}

// What Grafana puts in the place of its variables.
const variables = { $__rate_interval: '5m' } as const;

/** Throws for an expression that is not PromQL. */
export function metricsIn(expression: string): AskedMetric[] {
  const text = expression.replaceAll('$__rate_interval', variables.$__rate_interval);
  const tree = parser.parse(text);
  const names: { name: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  tree.iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`not PromQL at "${text.slice(from)}": ${expression}`);
      const own = (name: string) => node.getChild(name);
      const textOf = (part: { from: number; to: number } | null) =>
        part ? text.slice(part.from, part.to) : '';
      if (type.name === 'VectorSelector') names.push({ name: textOf(own('Identifier')), labels: [] });
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels')
        grouped.push(text.slice(from, to));
      else if (type.name === 'LabelName') names.at(-1)?.labels.push(text.slice(from, to));
    },
  });
  if (names.length === 0) throw new Error(`no metric is asked for: ${expression}`);
  return names.map(({ name, labels }) => ({ name, labels: [...labels, ...grouped] }));
}
