//! Which names are programs here, which are known but not simulated; every other name is not found.

/// Programs of the interpreter that stay: a test below asks that a snippet uses each.
const KEPT: &str = ". : [ alias base64 basename break builtin cat cd cksum column comm command \
    continue declare dirname dirs echo egrep env eval exec exit expand export expr false fgrep find fold \
    getopts grep hash head install jobs jq kill let ln local mapfile md5sum nl paste popd printenv \
    printf pushd pwd read readarray readlink readonly realpath return rev sed seq set sha1sum sha224sum \
    sha256sum sha384sum sha512sum shift shopt sort source split sum tac tail test trap true truncate tty \
    typeset umask unalias unexpand uniq unlink unset wait wc yes";

/// Programs of real machines that nobody simulates here. A lab that brings one of them wins.
const KNOWN: &str = "adduser apt apt-cache apt-get arch b2sum bc blkid bunzip2 busybox bzcat bzip2 \
    chattr chgrp chown chroot chsh containerd containerd-shim-runc-v2 crictl crontab ctr curl dd df \
    diff3 dig dmesg dmidecode dnf docker dpkg du emacs envsubst ethtool factor fdisk file findmnt flock \
    fmt free fsck fuser gawk gcc getconf getent getfacl git go gpg groupadd gunzip gzip halt helm \
    hexdump host hostid hostnamectl htop iconv ifconfig info ionice ip ipcs ipset iptables join \
    journalctl killall kubeadm kubectl kubelet last ldconfig ldd less logger loginctl losetup lsattr \
    lsblk lscpu lsmem lsmod lsns lsof lspci lsusb make man mawk mkfifo mknod mkswap modinfo modprobe \
    more mount mtr nano nc nerdctl netstat networkctl newgrp nft nice nproc nsenter nslookup numfmt \
    nvidia-container-runtime nvidia-ctk nvidia-smi od openssl passwd patch perl pgrep pidstat ping pkill \
    pmap podman poweroff pr pstree python python3 reboot renice reset resolvectl rg rmmod route rpm \
    rsync runc runuser sar scp screen service setfacl setsid sftp shasum shred shuf shutdown slabtop ss \
    stdbuf strace strings stty su swapoff swapon sync sysctl systemctl systemd-analyze systemd-cgls \
    systemd-run tar tcpdump time timedatectl tmux top traceroute tree tsort udevadm umount unshare \
    update-alternatives uptime useradd userdel usermod users vi vim vmstat w wall wget whereis who xxd \
    xz zcat zgrep zless";

/// The builtins of bash, as `enable -a` lists them.
const BUILTINS: &str = ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs \
    disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd \
    printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit \
    umask unalias unset wait";

/// Those of them that are programs too, so that `sudo` and a path find them.
const ALSO_PROGRAMS: &str = "[ echo false kill printf pwd test true";

pub(crate) fn kept() -> impl Iterator<Item = &'static str> {
    KEPT.split(' ')
}

fn is_in(list: &str, name: &str) -> bool {
    list.split(' ').any(|known| known == name)
}

/// True for a name that a real machine may well have, but no simulated one.
pub(crate) fn is_known(name: &str) -> bool {
    is_in(KNOWN, name) || is_builtin(name)
}

/// True for a builtin of bash, simulated or not.
pub(crate) fn is_builtin(name: &str) -> bool {
    is_in(BUILTINS, name)
}

/// True for a command that only exists inside a shell.
pub(crate) fn is_shell_only(name: &str) -> bool {
    is_builtin(name) && !is_in(ALSO_PROGRAMS, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNIPPETS: [&str; 2] =
        [include_str!("../tests/snippets/syntax.txt"), include_str!("../tests/snippets/programs.txt")];

    #[test]
    fn each_program_that_stays_is_held_against_the_real_one() {
        let is_edge = |letter: char| letter.is_whitespace() || ";|&()`{}$'\"".contains(letter);
        let used = |name: &str| SNIPPETS.iter().any(|text| text.split(is_edge).any(|word| word == name));
        let unused: Vec<&str> = kept().filter(|name| !used(name)).collect();
        assert_eq!(unused, Vec::<&str>::new());
    }

    #[test]
    fn the_lists_are_words_in_order_and_apart() {
        for list in [KEPT, KNOWN, BUILTINS, ALSO_PROGRAMS] {
            let words: Vec<&str> = list.split(' ').collect();
            assert!(words.is_sorted_by(|a, b| a < b), "{words:?}");
            let is_name = |word: &&str| {
                word.bytes().all(|byte| byte.is_ascii_lowercase() || b"0123456789-.:[_".contains(&byte))
            };
            assert!(
                words.iter().all(|word| !word.is_empty() && !word.ends_with('-') && is_name(word)),
                "{words:?}"
            );
        }
        assert!(!kept().any(|name| is_in(KNOWN, name)));
        assert!(!KNOWN.split(' ').any(is_builtin));
        assert!(ALSO_PROGRAMS.split(' ').all(is_builtin));
    }
}
