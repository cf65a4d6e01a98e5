"""System calls that a guest's process is refused, with their numbers.

The numbers are those of Linux' `unistd.h`, for x86_64 and for aarch64; None: that machine has no such call."""

Numbers = tuple[int | None, int | None]

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""For each machine: the place of its numbers in `Numbers`, and its name in filters (AUDIT_ARCH_...)."""
NEWEST = 450
"""The last call that this table was compared with. Newer calls fail with ENOSYS, so that programs fall back on older
ones."""

PROGRAMS: dict[str, Numbers] = {
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None), "uselib": (134, None),
}  # fmt: skip
OTHER_PROCESSES: dict[str, Numbers] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "move_pages": (279, 239), "migrate_pages": (256, 238),
    "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setaffinity": (203, 122), "setpriority": (141, 140), "ioprio_set": (251, 30), "setpgid": (109, 154),
    "setsid": (112, 157), "perf_event_open": (298, 241),
}  # fmt: skip
ROOTS: dict[str, Numbers] = {
    "mount": (165, 40), "umount2": (166, 39), "mount_setattr": (442, 442), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268),
    "setuid": (105, 146), "setgid": (106, 144), "setreuid": (113, 145), "setregid": (114, 143),
    "setresuid": (117, 147), "setresgid": (119, 149), "setgroups": (116, 159), "setfsuid": (122, 151),
    "setfsgid": (123, 152), "capset": (126, 91), "sethostname": (170, 161), "setdomainname": (171, 162),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225),
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "syslog": (103, 116), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171), "vhangup": (153, 58),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "personality": (135, 92),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "lookup_dcookie": (212, 18), "sysfs": (139, None),
}  # fmt: skip
KERNEL: dict[str, Numbers] = {
    "bpf": (321, 280), "userfaultfd": (323, 282), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "io_setup": (206, 0), "io_submit": (209, 2), "seccomp": (317, 277),
    "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77), "remap_file_pages": (216, 234),
    "mbind": (237, 235), "set_mempolicy": (238, 237),
}  # fmt: skip
"""Parts of the kernel that a client does not need. Most known escapes went through them."""
SHARED: dict[str, Numbers] = {
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "sync": (162, 81), "syncfs": (306, 267),
}  # fmt: skip
"""Memory that no limit counts, and things that all processes of the machine share."""
FILES: dict[str, Numbers] = {
    "link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36), "mknod": (133, None),
    "mknodat": (259, 33), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
}  # fmt: skip
"""Links, devices and attributes: a guest's folder contains only plain files."""
SERVERS: dict[str, Numbers] = {"bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242)}

DENIED: dict[str, Numbers] = {**PROGRAMS, **OTHER_PROCESSES, **ROOTS, **KERNEL, **SHARED, **FILES, **SERVERS}
"""All calls above; they fail with EPERM."""
IGNORED: dict[str, Numbers] = {"sched_setscheduler": (144, 119)}
"""Calls that do nothing and report success: ZeroMQ sets the priority that its thread has already, and aborts if this
fails."""
EXAMINED: dict[str, Numbers] = {
    "clone": (56, 220), "clone3": (435, 435), "socket": (41, 198), "socketpair": (53, 199), "ioctl": (16, 29),
    "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261), "prctl": (157, 167), "fcntl": (72, 25),
    "mmap": (9, 222),
}  # fmt: skip
"""Calls that are allowed or refused by their arguments (seccomp.py)."""
