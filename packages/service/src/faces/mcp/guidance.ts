import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { PROMPTS, type Prompt, RESOURCES } from '@ti/core/contract/guidance.ts'
import { PARAMETERS } from '@ti/core/contract/parameters.ts'
import { guide, sectionOf } from '../guide.ts'

/** Resources are parts of the guides, read with the first request for one; prompts are texts of the contract. */

const TYPE = { mimeType: 'text/markdown' }
const uriOf = (name: string): string => `token-intelligence://guide/${name}`

const unfit = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

const promptJson = ({ name, title, description, argument }: Prompt) => {
  const { description: what } = PARAMETERS[argument].schema
  return { name, title, description, arguments: [{ name: argument, description: what, required: true }] }
}

/** A function that adds resources and prompts to a server. */
export function createGuidance(publicUrl: string): (server: Server) => void {
  const texts = new Map<string, string>()
  const resources = RESOURCES.map(({ name, title, description }) => ({
    ...{ uri: uriOf(name), name, title, description, ...TYPE },
  }))

  function textOf(uri: string): string {
    const found = RESOURCES.find(({ name }) => uriOf(name) === uri)
    if (found === undefined) throw unfit('unknown resource: resources/list names them')
    const { file, section } = found
    const known = texts.get(uri)
    if (known !== undefined) return known
    const whole = guide(file, publicUrl)
    const text = section === null ? whole : sectionOf(whole, section)
    texts.set(uri, text)
    return text
  }

  function promptOf(name: string, given: Readonly<Record<string, string>>) {
    const prompt = PROMPTS.find((one) => one.name === name)
    if (prompt === undefined) throw unfit('unknown prompt: prompts/list names them')
    const parsed = PARAMETERS[prompt.argument].parse(given[prompt.argument])
    if (!parsed.ok) throw unfit(parsed.message)
    const text = prompt.text(String(parsed.value))
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    }
  }

  return (server) => {
    server.setRequestHandler('resources/list', () => ({ resources }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
      contents: [{ uri, ...TYPE, text: textOf(uri) }],
    }))
    server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS.map(promptJson) }))
    server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments ?? {}))
  }
}
