import { createKey } from '../access/keys.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { readOptions } from '../config/options.ts'
import { type Command, parse } from './command.ts'

const usage = `keys create [--name NAME]
  makes a Pro key in DATA_DIR and prints it once; works while the service runs`

export const keys: Command = {
  usage,
  async run(args) {
    const { values, positionals } = parse(usage, args, { name: { type: 'string' } }, { min: 1, max: 1 })
    if (positionals[0] !== 'create') {
      throw new OperatorError(`keys ${positionals[0]} is not known\n\n${usage}`, { exitCode: EXIT.usage })
    }
    const { dataDir } = readOptions(process.env)
    const made = createKey(dataDir, values.name ?? 'command line')
    process.stderr.write(`key ${made.id} in ${dataDir}; it is shown only now:\n`)
    process.stdout.write(`${made.key}\n`)
  },
}
