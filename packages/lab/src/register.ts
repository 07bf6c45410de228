import { register } from '@ti/service/extensions.ts'
import { LAB_COMMANDS } from './cli/definitions.ts'

register({
  module: import.meta.url,
  sources: [
    {
      name: 'simulator',
      example: 'simulator:seed=1&tps=60',
      default: 'market=3',
      async open(rest) {
        const [{ createSimulator }, { simulatorOptions }] = await Promise.all([
          import('./simulator/simulator.ts'),
          import('./simulator/options.ts'),
        ])
        return createSimulator(simulatorOptions(rest))
      },
    },
  ],
  commands: LAB_COMMANDS,
})
