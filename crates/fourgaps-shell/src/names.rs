//! Which names are programs here, which are known but not simulated; every other name is not found.

/// Programs of the interpreter that stay: the snippets of the tests hold them against the real ones.
const KEPT: &str = ". : [ alias awk b2sum base64 basename bg break builtin caller cat cd cksum column comm command \
    compgen continue cut declare dirname dirs disown echo egrep enable env eval exec exit expand export \
    expr factor false fg fgrep find fmt fold getopts grep gunzip gzip hash head hexdump install jobs \
    join jq kill let ln local mapfile mawk md5sum mkfifo nl numfmt od paste popd printenv \
    printf pushd pwd read readarray readlink readonly realpath return rev sed seq set sha1sum sha224sum \
    sha256sum sha384sum sha512sum shift shopt sort source split strings sum tac tail tar tee test touch \
    tr trap true truncate tsort tty type typeset umask unalias unexpand uniq unlink unset wait wc which \
    xargs xxd yes";

/// Programs of real machines that nobody simulates here. A lab that brings one of them wins.
const KNOWN: &str = "apt apt-get arch bc bunzip2 busybox bzcat bzip2 chgrp chown complete compopt containerd \
    containerd-shim-runc-v2 crictl ctr curl dd df diff3 dig dmesg dnf docker dpkg du emacs envsubst fc \
    file flock free gawk gcc getconf git go groupadd helm help hostid htop iconv info ip iptables \
    journalctl killall kubeadm kubectl kubelet last less logger lsblk lscpu lsmod lsof lspci make man \
    modprobe more mount nano nerdctl netstat nice nproc nslookup nvidia-container-runtime nvidia- \
    ctk nvidia-smi openssl patch perl pgrep ping pkill podman ps python python3 reboot rg rpm rsync runc \
    scp screen service sftp shasum shuf shutdown ss strace su sysctl systemctl tcpdump time timeout \
    times tmux top tree ulimit umount uptime vi vim wget zcat";

/// Commands that only exist inside a shell, so that `sudo` does not find them.
const SHELL_ONLY: &str = ". : alias break builtin cd command continue declare dirs eval exec exit export getopts history let \
    local popd pushd read return set shift source type unset";

pub(crate) fn kept() -> impl Iterator<Item = &'static str> {
    KEPT.split(' ')
}

/// True for a name that a real machine may well have, but no simulated one.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.split(' ').any(|known| known == name)
}

pub(crate) fn is_shell_only(name: &str) -> bool {
    SHELL_ONLY.split(' ').any(|only| only == name)
}
