import type { AppCard } from '@ti/core/contract/app.ts'
import { count, counted } from '../../ui/format.ts'

interface Chip {
  readonly text: string
  readonly title: string
}

/** The deployer's record on a card. Only the verdict colours a card. */
export function deployerChip(more: AppCard | null): Chip {
  if (more === null) return { text: '', title: '' }
  const { deployer } = more
  if (deployer === null) return { text: 'deployer unknown', title: 'its launch was not seen' }
  const { launched, graduated, drained } = deployer
  if (launched === 0) return { text: 'first launch', title: 'the deployer has launched nothing else' }
  const robbed = drained === null || drained === 0 ? '' : `; ${count(drained)} drained of their money`
  return {
    text: `${count(graduated)} of ${count(launched)} graduated`,
    title: `the deployer launched ${counted(launched, 'other token')}, ${count(graduated)} graduated${robbed}`,
  }
}
