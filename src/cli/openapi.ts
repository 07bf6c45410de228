import { buildOpenApi } from '../contract/openapi.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { type Command, parse } from './command.ts'

const usage = `openapi
  prints the OpenAPI document of the REST interface`

/** JSON text of the document, as served and as checked in. */
export const openApiText = (): string =>
  `${JSON.stringify(buildOpenApi({ formulasVersion: FORMULAS_VERSION }), null, 2)}\n`

export const openapi: Command = {
  usage,
  async run(args) {
    parse(usage, args, {}, { min: 0, max: 0 })
    process.stdout.write(openApiText())
  },
}
