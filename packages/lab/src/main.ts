#!/usr/bin/env node
// The program of this repository: the service, with simulated markets as a source and play money as payments.
import './register.ts'
import '@ti/sandbox/register.ts'
import '@ti/service/main.ts'
