/** A series as a node tells it. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format; throws at a line that is neither a comment nor a sample. */
export function readMetrics(text: string): Series[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (found === null) throw new Error(`no sample: ${line}`)
    const [, name, labels = '', value] = found
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label!, text!] as const)
    return { name: name!, labels: Object.fromEntries(pairs), value: numberOf(value!) }
  })
}

const numberOf = (text: string): number =>
  text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)

export const has = (labels: Series['labels'], wanted: Series['labels']): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)
