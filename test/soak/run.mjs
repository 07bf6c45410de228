// Compiles once and runs the soak on that: it starts many processes, and with a compiler in each, starting costs more than
// the work between two kills.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compile } from '../compiled.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiled = await compile(root)
const main = compiled(fileURLToPath(new URL('./main.ts', import.meta.url)))
const child = spawn(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
