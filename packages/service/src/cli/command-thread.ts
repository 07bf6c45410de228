import { parentPort, workerData } from 'node:worker_threads'
import { EXIT } from '../base/errors.ts'
import { systemError } from '../base/system-error.ts'
import { DEFINITIONS } from './definitions.ts'
import { Interrupted } from './io.ts'
import { createIo, exitCodeOf, type Outcome, type Said, STOP, type ThreadData } from './messages.ts'
import { parse } from './parse.ts'

/** milliseconds between two looks of the thread that does long work at how far it is */
const PROGRESS_POST_MS = 50

/** Runs a long command, so that the main thread can handle signals and show progress. */
const port = parentPort!
const { command: name, args, colours } = workerData as ThreadData
const stop = new AbortController()
port.on('message', (message) => {
  if (message === STOP) stop.abort()
})

async function work(): Promise<Outcome> {
  try {
    const command = DEFINITIONS.find((one) => one.name === name)!
    const run = await command.load()
    const io = createIo((said: Said) => port.postMessage(said), stop.signal, colours, PROGRESS_POST_MS)
    return { kind: 'ended', exitCode: exitCodeOf(await run(parse(command, args), io)) }
  } catch (error) {
    if (error instanceof Interrupted) return { kind: 'interrupted' }
    const known = systemError(error)
    if (known !== null) return { kind: 'failed', message: known.message, exitCode: known.exitCode }
    return { kind: 'failed', message: stackOf(error), exitCode: EXIT.failed }
  }
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { stack = error.message, cause } = error
  return cause === undefined ? stack : `${stack}\n  cause: ${stackOf(cause)}`
}

const outcome = await work()
port.postMessage(outcome)
// ends threads that the command left running, such as the decoding thread of an interrupted one
port.close()
