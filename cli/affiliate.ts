#!/usr/bin/env node
/** `affiliate`, the operator's command line. */
import { runProcess } from './process.ts';

await runProcess();
