import { Worker, type WorkerOptions } from 'node:worker_threads'

/** All files have this file's extension: .ts if tsx runs the sources, .js if they are compiled or built. */
const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** Modules that register kinds and commands: each thread loads them before its own code. */
const registering: string[] = []
export const loadInThreads = (module: string): void => void registering.push(module)

/**
 * Starts a thread with the code of `packages/service/src/NAME.ts`. The name ends in `-thread`, by which the build finds it. The build's chunks are as
 * deep in their folder as this file, so the same path leads to the thread's own.
 */
export function startThread(name: `${string}-thread`, options: Omit<WorkerOptions, 'execArgv' | 'eval'> = {}): Worker {
  const code = new URL(`../${name}.${ENDING}`, import.meta.url)
  const load = [...registering, code].map((module) => `.then(() => import('${module}'))`).join('')
  // a thread does not inherit what the program has set since its start: source maps
  if (ENDING === 'js')
    return new Worker(`Promise.resolve()${load}`, { ...options, eval: true, execArgv: ['--enable-source-maps'] })
  // nor does it inherit tsx in Node 20
  return new Worker(`import('tsx/esm/api').then((tsx) => tsx.register())${load}`, { ...options, eval: true })
}
