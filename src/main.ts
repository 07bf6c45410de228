#!/usr/bin/env node
import { EXIT, OperatorError } from './base/errors.ts'
import { PRIVATE_UMASK } from './base/private-files.ts'
import { systemError } from './base/system-error.ts'
import type { Command } from './cli/command.ts'

/** Each is loaded when it is asked for: some bring a chain or a payment client along. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  keys: async () => (await import('./cli/keys.ts')).keys,
  accounts: async () => (await import('./cli/accounts.ts')).accounts,
  'demo-pay': async () => (await import('./cli/demo-pay.ts')).demoPay,
  tail: async () => (await import('./cli/tail.ts')).tail,
  capture: async () => (await import('./cli/capture.ts')).capture,
  backfill: async () => (await import('./cli/backfill.ts')).backfill,
  checkpoint: async () => (await import('./cli/checkpoint.ts')).checkpoint,
  export: async () => (await import('./cli/export.ts')).exportCommand,
  verify: async () => (await import('./cli/verify.ts')).verify,
  replay: async () => (await import('./cli/replay.ts')).replay,
  explain: async () => (await import('./cli/explain.ts')).explainCommand,
  evaluate: async () => (await import('./cli/evaluate.ts')).evaluate,
  unknown: async () => (await import('./cli/unknown.ts')).unknown,
  bench: async () => (await import('./cli/bench.ts')).bench,
  openapi: async () => (await import('./cli/openapi.ts')).openapi,
}

async function help(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  return `Token Intelligence\n\n${commands.map((command) => command.usage).join('\n\n')}\n`
}

async function main(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(await help())
    return
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load === undefined) {
    throw new OperatorError(`there is no command ${JSON.stringify(name)}\n\n${await help()}`, { exitCode: EXIT.usage })
  }
  await (await load()).run(args)
}

// what this process and its children make is for this user alone: databases, logs, sockets, copies, exports
process.umask(PRIVATE_UMASK)

main().catch((error: unknown) => {
  const told = systemError(error)
  if (told !== null) {
    process.stderr.write(`${told.message}\n`)
    process.exit(told.exitCode)
  }
  console.error(error)
  process.exit(EXIT.failed)
})
