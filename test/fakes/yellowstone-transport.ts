import type { SubscribeRequest, Transport } from '@ti/service/source/yellowstone/transport.ts'
import type { FakeNode, Subscription } from './yellowstone-node.ts'
import { decodeUpdate } from './yellowstone-wire.ts'

/** A node without a network: what it sends is encoded and decoded all the same. */
export function createFakeTransport(node: FakeNode): Transport {
  return {
    async connect() {
      node.greet()
      const open = new Set<AbortController>()
      return {
        firstAvailable: async () => node.firstAvailable(),
        newestBlock: async () => null,
        async subscribe(request) {
          const stop = new AbortController()
          open.add(stop)
          const subscription = subscriptionOf(request)
          const updates = node.updates(subscription, stop.signal)
          return {
            async read() {
              const { done, value } = await updates.next()
              return done === true ? null : decodeUpdate(value)
            },
            write(reply) {
              if (reply.ping !== undefined) node.sent.pongs++
              else subscription.accounts = subscriptionOf(reply).accounts
            },
            close: () => stop.abort(),
          }
        },
        close() {
          for (const stop of open) stop.abort()
        },
      }
    },
  }
}

export function subscriptionOf({ blocks, fromSlot }: SubscribeRequest): Subscription {
  const accounts = Object.values(blocks).flatMap(({ accountInclude }) => accountInclude)
  return { accounts, from: fromSlot === undefined ? null : Number(fromSlot) }
}
