#!/bin/bash
# First draft: the drop-in is there, so the handler is there. Called with the name of a node.
ssh "$1" 'grep -q "runtimes.nvidia" /etc/containerd/conf.d/99-nvidia.toml'
