import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { useEffect, useState } from 'react'
import { usableWallets } from './features.ts'

/** Usable wallets of this browser; some register late. */
export function useWallets(): readonly Wallet[] {
  const [wallets, setWallets] = useState(() => usableWallets(getWallets().get()))
  useEffect(() => {
    const { get, on } = getWallets()
    const update = () => setWallets(usableWallets(get()))
    const off = [on('register', update), on('unregister', update)]
    update()
    return () => {
      for (const end of off) end()
    }
  }, [])
  return wallets
}
