export function holdPorts(count: number): Promise<{ readonly ports: number[]; release(): Promise<unknown> }>

export function freePort(): Promise<number>
