// A chart as a drawing: the server has placed everything; what is known at the moment is written into the room of each state.
import type { ChartDrawing, ChartLine, ChartState, Point } from '../../process/process-view.ts';
import './chart.css';

/** What a state or a line is at the moment; all may be absent. */
export interface Marks {
  readonly active?: ReadonlySet<string>;
  /** Where the process was when it failed or was ended. */
  readonly failed?: ReadonlySet<string>;
  /** The process has ended: it is nowhere now. */
  readonly isOver?: boolean;
  /** Lines that may be taken next. */
  readonly next?: ReadonlySet<string>;
  /** By path: what stands in the state, like the time that is left. */
  readonly below?: ReadonlyMap<string, string>;
}

interface ChartProps {
  readonly drawing: ChartDrawing;
  readonly marks: Marks;
  /** In words, what the drawing shows. */
  readonly label: string;
}

const MARGIN = 6;
/** Letters below this size cannot be read: a narrow screen scrolls instead. */
const LEAST_SCALE = 0.75;

export function Chart({ drawing, marks, label }: ChartProps) {
  const { width, height } = { width: drawing.width + 2 * MARGIN, height: drawing.height + 2 * MARGIN };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
    <section class="chart-frame" tabIndex={0} aria-label="Chart">
      <svg
        class="chart"
        viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
        style={{
          width: '100%',
          maxWidth: `${width}px`,
          minWidth: `${Math.round(width * LEAST_SCALE)}px`,
        }}
        font-size={drawing.letters.size}
        role="img"
        aria-label={label}
      >
        {drawing.states.map((state) => (
          <State key={state.path} state={state} marks={marks} />
        ))}
        {drawing.beginnings.map(({ x, y }) => (
          <circle key={`${x} ${y}`} class="begins" cx={x} cy={y} r={4} />
        ))}
        {drawing.lines.map((line) => (
          <Line
            key={`${line.joins} ${line.points[0]?.x} ${line.points[0]?.y}`}
            line={line}
            marks={marks}
            size={drawing.letters.label}
          />
        ))}
      </svg>
    </section>
  );
}

function State({ state, marks }: { readonly state: ChartState; readonly marks: Marks }) {
  const { path, x, y, width, height, label, hasStates, staying, description } = state;
  const below = marks.below?.get(path);
  const beside = hasStates ? undefined : markOf(path, marks);
  const right = x + width - 10;
  const title = [description, ...staying].filter(Boolean).join('\n');
  return (
    <g class={classesOf(state, marks)} data-path={path}>
      {title && <title>{title}</title>}
      <rect x={x} y={y} width={width} height={height} rx={5} />
      <text x={x + 12} y={y + 18}>
        {label}
      </text>
      {beside && (
        <text class="beside" x={right} y={y + 18} text-anchor="end">
          {beside}
        </text>
      )}
      {below && (
        <text
          class="below"
          x={hasStates ? right : x + 12}
          y={hasStates ? y + 18 : y + 36}
          text-anchor={hasStates ? 'end' : 'start'}
        >
          {below}
        </text>
      )}
    </g>
  );
}

function classesOf({ path, hasStates, kind }: ChartState, marks: Marks): string {
  const classes = [
    'state',
    hasStates && 'has-states',
    kind === 'final' && 'final',
    marks.active?.has(path) && 'active',
    marks.failed?.has(path) && 'failed',
  ];
  return classes.filter(Boolean).join(' ');
}

/** Not by colour alone. */
function markOf(path: string, { active, failed, isOver }: Marks): string | undefined {
  if (!active?.has(path)) return undefined;
  if (!isOver) return 'now';
  return failed?.has(path) ? '✗ end' : 'end';
}

interface LineProps {
  readonly line: ChartLine;
  readonly marks: Marks;
  readonly size: number;
}

function Line({ line: { joins, points, label, words }, marks, size }: LineProps) {
  const isNext = joins !== '' && marks.next?.has(joins);
  return (
    <g class={isNext ? 'line next' : 'line'} data-joins={joins}>
      {words.length > 0 && <title>{words.join('\n')}</title>}
      <path d={points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x},${y}`).join(' ')} />
      <path class="head" d={headOf(points)} />
      {label && (
        <text x={label.x} y={label.y + 10.5} font-size={size}>
          {label.text}
        </text>
      )}
    </g>
  );
}

const HEAD = 7;

/** The tip of an arrow, in the direction of its last part. */
function headOf(points: readonly Point[]): string {
  const [before, end] = points.slice(-2);
  if (!before || !end) return '';
  const [dx, dy] = [Math.sign(end.x - before.x), Math.sign(end.y - before.y)];
  const [backX, backY] = [end.x - dx * HEAD, end.y - dy * HEAD];
  const [sideX, sideY] = [(dy * HEAD) / 2, (dx * HEAD) / 2];
  return `M${end.x},${end.y} L${backX + sideX},${backY + sideY} L${backX - sideX},${backY - sideY} z`;
}
