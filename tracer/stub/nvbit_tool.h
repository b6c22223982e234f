// NVBit's hooks for tools: there are none here.
