import type { DestinationKind } from '@ti/core/contract/account.ts'
import { DISCORD } from './discord.ts'
import type { Kind } from './sender.ts'
import { TELEGRAM } from './telegram.ts'
import { WEBHOOK } from './webhook.ts'

/** The implementation of each kind of destination. */
export const KINDS: Readonly<Record<DestinationKind, Kind>> = { webhook: WEBHOOK, telegram: TELEGRAM, discord: DISCORD }
