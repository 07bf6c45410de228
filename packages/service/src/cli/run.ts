import { existsSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { EXIT, OperatorError } from '../base/errors.ts'
import { startThread } from '../base/thread.ts'
import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { percent } from '../service/progress.ts'
import type { CommandDefinition } from './definition.ts'
import { Interrupted } from './io.ts'
import { createIo, exitCodeOf, type Outcome, type Said, STOP, type ThreadData } from './messages.ts'
import { parse } from './parse.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { escaped } from './terminal-text.ts'

/** milliseconds an interrupted command has to put away what it made: below half a second, with what ends it then */
export const INTERRUPT_MS = 250
/** milliseconds after which a process that its signal did not end exits by itself */
const SIGNAL_END_MS = 100

/** the shell's convention: 128 plus the signal number */
const EXIT_OF = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof EXIT_OF

/** Running work, here or in a thread. */
interface Work {
  readonly outcome: Promise<Outcome>
  /** Asks it to end. */
  stop(): void
}

/** Runs a command and resolves to the exit code. After a signal the process ends within INTERRUPT_MS and SIGNAL_END_MS. */
export async function run(command: CommandDefinition, args: readonly string[]): Promise<number> {
  const terminal = createTerminal()
  const colours = readOtherOptions(environment()).colours && process.stdout.isTTY === true
  const left = new Map<string, string | null>()
  let isInterrupted = false
  const say = (said: Said): void => {
    if (said.kind === 'leaves') left.set(said.path, said.stays)
    else if (said.kind === 'left nothing') left.delete(said.path)
    else if (isInterrupted) return
    else if (said.kind === 'note') terminal.note(escaped(said.line))
    else if (said.kind === 'progress') terminal.show(said.shown)
    else {
      terminal.close()
      process.stdout.write(escaped(said.text, colours))
    }
  }
  // the reader of a pipe may close it
  if (command.signals !== 'own') process.stdout.on('error', onClosedPipe)
  const work = command.isLong ? startApart(command, { args, colours }, say) : startHere(command, { args, colours }, say)
  const onSignal = (signal: Signal): void => {
    if (isInterrupted) return endBy(signal)
    if (command.signals === 'finishes') {
      // a second signal ends the process at once
      process.once(signal, endBy)
      return work.stop()
    }
    isInterrupted = true
    void interrupt(work, left, terminal).then(({ line, isOver }) => {
      writeSync(process.stderr.fd, `${line}\n`)
      if (isOver) process.exit(EXIT_OF[signal])
      endBy(signal)
    })
  }
  if (command.signals !== 'own') {
    for (const signal of Object.keys(EXIT_OF) as Signal[]) {
      if (command.signals === 'finishes') process.once(signal, onSignal)
      else process.on(signal, onSignal)
    }
  }
  const outcome = await work.outcome.catch((error: unknown) => {
    if (isInterrupted) return null
    throw error
  })
  // `interrupt` ends the process with its message
  if (isInterrupted || outcome === null) return new Promise(() => {})
  terminal.close()
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
  if (outcome.kind === 'ended') return outcome.exitCode
  if (outcome.kind === 'failed') throw new OperatorError(outcome.message, { exitCode: outcome.exitCode })
  throw new OperatorError('interrupted')
}

/**
 * Ends the process by the signal's default action: `process.exit` would first terminate threads, and abort if one is
 * inside a native library. The first process of a container has no default action and exits after a moment.
 */
function endBy(signal: Signal): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(EXIT_OF[signal]), SIGNAL_END_MS)
}

function onClosedPipe(error: NodeJS.ErrnoException): never {
  process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed)
}

/** Gives the work a moment to clean up, removes what it left, and reports what stays, in one line. */
async function interrupt(work: Work, left: ReadonlyMap<string, string | null>, terminal: Terminal) {
  terminal.close()
  work.stop()
  const isOver = await Promise.race([
    work.outcome.then(
      () => true,
      () => true,
    ),
    pause(INTERRUPT_MS, false),
  ])
  const stays: string[] = []
  for (const [path, what] of left) {
    if (!existsSync(path)) continue
    if (what !== null) stays.push(`${path} stays: ${what}`)
    else {
      try {
        rmSync(path, { recursive: true, force: true, maxRetries: 3 })
      } catch {
        stays.push(`${path} is unfinished: delete it`)
      }
    }
  }
  const at = terminal.share === null ? '' : ` at ${percent(terminal.share)}`
  return { line: `interrupted${at}${stays.length === 0 ? '' : `; ${stays.join('; ')}`}`, isOver }
}

type Begin = Pick<ThreadData, 'args' | 'colours'>

function startHere(command: CommandDefinition, { args, colours }: Begin, say: (said: Said) => void): Work {
  const stop = new AbortController()
  const io = createIo(say, stop.signal, colours, 0)
  const work = async (): Promise<Outcome> => {
    try {
      const carryOut = await command.load()
      return { kind: 'ended', exitCode: exitCodeOf(await carryOut(parse(command, args), io)) }
    } catch (error) {
      if (error instanceof Interrupted) return { kind: 'interrupted' }
      throw error
    }
  }
  return { outcome: work(), stop: () => stop.abort() }
}

function startApart(command: CommandDefinition, begin: Begin, say: (said: Said) => void): Work {
  const workerData: ThreadData = { command: command.name, ...begin }
  const worker = startThread('cli/command-thread', {
    workerData,
    // a thread's default memory limit is lower than the process's. With more room for young objects, twice the default, folding
    // takes a twentieth less: fewer of them are alive at each collection
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 20),
      maxYoungGenerationSizeMb: 96,
    },
  })
  const outcome = new Promise<Outcome>((done, failed) => {
    worker.on('message', (message: Said | Outcome) => {
      if (message.kind === 'ended' || message.kind === 'failed' || message.kind === 'interrupted') done(message)
      else say(message)
    })
    worker.on('error', failed)
    worker.on('exit', (code) => failed(new Error(`the thread of ${command.name} ended with ${code}`)))
  })
  return {
    outcome,
    stop: () => worker.postMessage(STOP),
  }
}
