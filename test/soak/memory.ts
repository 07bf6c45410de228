import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the kernel limits the memory of groups of processes: its second interface, or its first. */
const INTERFACES = [
  { root: '/sys/fs/cgroup', has: 'cgroup.controllers', limit: 'memory.max' },
  { root: '/sys/fs/cgroup/memory', has: 'memory.limit_in_bytes', limit: 'memory.limit_in_bytes' },
]

interface Limited {
  /** what stands before a command that is to run in it */
  readonly before: readonly string[]
  remove(): void
}

/** A group of at most `mb` megabytes, page cache included; throws where this user may not make one. */
export function limitMemory(mb: number, name: string): Limited {
  const found = INTERFACES.find(({ root, has }) => existsSync(join(root, has)))
  if (found === undefined) throw new Error('this system has no memory cgroups')
  const group = join(found.root, name)
  mkdirSync(group, { recursive: true })
  writeFileSync(join(group, found.limit), String(mb * 2 ** 20))
  const enter = `echo $$ > ${join(group, 'cgroup.procs')}; exec "$@"`
  return { before: ['sh', '-c', enter, 'sh'], remove: () => rmdirSync(group) }
}

interface Sample {
  readonly minute: number
  readonly rssMb: number
  /** of it what no file backs; null where the system does not say */
  readonly ownMb: number | null
}

/** minutes at which memory is told */
const TOLD = [5, 30, 60]
/** minutes after which the market has its population, and memory should stay */
const SETTLED = 30

/** MB of memory: at some minutes, the most the kernel has seen, and how much own memory grows in an hour once it has settled. */
export function memoryOf(samples: readonly Sample[], peakRssMb: number | null) {
  const at = TOLD.map((minute) => [`rssAt${minute}`, samples.find((one) => one.minute >= minute)?.rssMb ?? null])
  return { ...Object.fromEntries(at), peakRssMb, ownPerHour: slope(samples.filter(({ minute }) => minute >= SETTLED)) }
}

/** Least squares, in MB an hour; null for less than five minutes of it. */
function slope(samples: readonly Sample[]): number | null {
  const points = samples.flatMap(({ minute, ownMb }) => (ownMb === null ? [] : [{ x: minute / 60, y: ownMb }]))
  if (points.length < 10) return null
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  return Math.round(mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2))
}
